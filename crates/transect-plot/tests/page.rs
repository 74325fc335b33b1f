//! The page with a map: one file, whatever is in it.

use transect_plot::PlotError;
use transect_plot::page::{Degrees, FileLink, FrameData, GridData, MapData, PageData, SurveyData};

fn grid() -> GridData {
    GridData {
        columns: 2,
        rows: 2,
        extent: [0.0, 0.0, 20.0, 20.0],
        mean: vec![1.5, f64::NAN, -3.25, f64::INFINITY],
        std: vec![0.5, f64::NAN, 0.25, 1.0],
    }
}

fn page_of(survey: SurveyData) -> PageData {
    PageData {
        title: "A pond".into(),
        map: MapData {
            bounds: [0.0, 0.0, 20.0, 20.0],
            surveys: vec![survey],
            ..MapData::default()
        },
        program: "transect".into(),
        ..PageData::default()
    }
}

/// What the script of a page is given.
fn data_of(html: &str) -> serde_json::Value {
    let begin = "<script type=\"application/json\" id=\"map-data\">";
    let from = html.find(begin).expect("there is data") + begin.len();
    let to = from + html[from..].find("</script>").expect("it ends");
    serde_json::from_str(&html[from..to]).expect("it is JSON")
}

/// Decodes base64 by the definition of RFC 4648, without the crate's own code.
fn bytes(text: &str) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut out) = (0u32, 0, Vec::new());
    for byte in text.bytes().filter(|b| *b != b'=') {
        let digit = alphabet.iter().position(|a| *a == byte).expect("a digit");
        bits = bits << 6 | digit as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

#[test]
fn final_maps_are_written_to_the_last_bit_of_a_float() -> Result<(), PlotError> {
    let survey = SurveyData {
        grid: Some(grid()),
        ..SurveyData::default()
    };
    let data = data_of(&page_of(survey).to_html()?);
    let mean = bytes(data["surveys"][0]["grid"]["mean"]["data"].as_str().unwrap());
    let floats: Vec<f32> = mean
        .chunks(4)
        .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
        .collect();
    assert_eq!((floats[0], floats[2]), (1.5, -3.25));
    assert!(floats[1].is_nan());
    Ok(())
}

#[test]
fn frames_are_exact_to_a_65534th_of_their_range() -> Result<(), PlotError> {
    let values = [10.0, 12.345, f64::NAN, 110.0];
    let frame = FrameData {
        columns: 4,
        rows: 1,
        extent: [0.0, 0.0, 4.0, 1.0],
        mean: values.to_vec(),
        std: vec![1.0; 4],
        ..FrameData::default()
    };
    let survey = SurveyData {
        frames: vec![frame],
        ..SurveyData::default()
    };
    let data = data_of(&page_of(survey).to_html()?);
    let mean = &data["surveys"][0]["frames"][0]["mean"];
    let (low, high) = (
        mean["low"].as_f64().unwrap(),
        mean["high"].as_f64().unwrap(),
    );
    assert_eq!((low, high), (10.0, 110.0));
    let levels = bytes(mean["data"].as_str().unwrap());
    for (pair, value) in levels.chunks(2).zip(values) {
        let level = u16::from_le_bytes(pair.try_into().unwrap());
        if value.is_nan() {
            assert_eq!(level, u16::MAX);
        } else {
            let read = low + f64::from(level) * (high - low) / 65534.0;
            assert!(
                (read - value).abs() <= 0.5 * 100.0 / 65534.0 + 1e-12,
                "{read}"
            );
        }
    }
    // All the same is no division by zero.
    let std = &data["surveys"][0]["frames"][0]["std"];
    assert_eq!(bytes(std["data"].as_str().unwrap()), [0; 8]);
    Ok(())
}

#[test]
fn nothing_or_hardly_anything_to_show_still_makes_a_page() -> Result<(), PlotError> {
    let one = SurveyData {
        soundings: vec![[1.0, 2.0, 3.0, 4.0]],
        ..SurveyData::default()
    };
    for survey in [SurveyData::default(), one] {
        let count = survey.soundings.len();
        let data = data_of(&page_of(survey).to_html()?);
        assert_eq!(data["surveys"][0]["soundings_total"], count);
        assert!(data["surveys"][0]["grid"].is_null());
    }
    Ok(())
}

#[test]
fn no_text_can_break_out_of_its_place_and_nothing_is_fetched() -> Result<(), PlotError> {
    let evil =
        "</script><script src=https://example.com/x.js></script><img src=x onerror=alert(1)>";
    let mut page = page_of(SurveyData {
        name: evil.into(),
        ..SurveyData::default()
    });
    page.title = evil.into();
    page.warnings = vec![evil.into()];
    page.settings = evil.into();
    page.map.crs = evil.into();
    page.files = vec![FileLink {
        name: "javascript:alert(1)//\"><b>.csv".into(),
        what: evil.into(),
    }];
    let html = page.to_html()?;
    assert_eq!(html.matches("<script").count(), 2, "its own two");
    assert_eq!(html.matches("</script").count(), 2);
    assert!(!html.contains("<img") && !html.contains("<b>"));
    assert!(html.contains("href=\"./javascript%3Aalert%281%29//%22%3E%3Cb%3E.csv\""));
    assert!(
        html.contains("default-src 'none'"),
        "the browser is told, too"
    );
    for fetching in [
        "fetch(",
        "XMLHttpRequest",
        "import(",
        "@import",
        "url(",
        "<link",
    ] {
        assert!(!html.contains(fetching), "{fetching}");
    }
    assert_eq!(
        data_of(&html)["surveys"][0]["name"],
        evil,
        "and yet it is there"
    );
    Ok(())
}

#[test]
fn a_grid_of_another_size_than_it_says_is_refused() {
    let mut wrong = grid();
    wrong.rows = 3;
    let survey = SurveyData {
        grid: Some(wrong),
        ..SurveyData::default()
    };
    let error = page_of(survey).to_html().expect_err("4 values are not 6");
    assert_eq!(
        error.to_string(),
        "map: 4 values do not make 3 rows of 2 columns"
    );
}

#[test]
fn degrees_are_asked_for_from_the_south_west_on() {
    let degrees = Degrees::sample([10.0, 20.0, 30.0, 60.0], 3, |x, y| Some([x, y])).expect("known");
    assert_eq!(degrees.lon[..4], [10.0, 20.0, 30.0, 10.0]);
    assert_eq!(degrees.lat[..4], [20.0, 20.0, 20.0, 40.0]);
    assert!(Degrees::sample([0.0, 0.0, 1.0, 1.0], 3, |_, _| None).is_none());
}

#[test]
fn the_page_of_a_long_mission_stays_small() -> Result<(), PlotError> {
    let cells = 120 * 120;
    let wavy = |scale: f64, count: usize| -> Vec<f64> {
        (0..count).map(|i| scale * (i as f64 * 0.7).sin()).collect()
    };
    let frame = |i: usize| FrameData {
        time_s: i as f64,
        soundings: i,
        columns: 64,
        rows: 64,
        extent: [0.0, 0.0, 20.0, 20.0],
        mean: wavy(i as f64, 64 * 64),
        std: wavy(1.0, 64 * 64),
    };
    let place = |i: usize| 1e6 + (i as f64).sqrt();
    let survey = SurveyData {
        grid: Some(GridData {
            columns: 120,
            rows: 120,
            extent: [0.0, 0.0, 20.0, 20.0],
            mean: wavy(1.0, cells),
            std: wavy(2.0, cells),
        }),
        truth: Some(wavy(3.0, cells)),
        soundings: (0..700)
            .map(|i| [place(i), place(i), place(i), i as f64])
            .collect(),
        track: (0..1500).map(|i| [place(i), place(i), i as f64]).collect(),
        frames: (0..500).map(frame).collect(),
        ..SurveyData::default()
    };
    let mut page = page_of(survey.clone());
    page.map.surveys.push(survey);
    let bytes = page.to_html()?.len();
    assert!(
        bytes < 3_000_000,
        "two surveys of 700 soundings take {bytes} bytes"
    );
    Ok(())
}
