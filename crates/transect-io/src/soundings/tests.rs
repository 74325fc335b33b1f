use super::*;
use proptest::prelude::*;

fn read(text: &str) -> Soundings {
    parse(text.as_bytes(), &Columns::default()).unwrap()
}

fn refused(text: &str) -> String {
    parse(text.as_bytes(), &Columns::default()).unwrap_err()
}

/// What every spelling of the same three readings must come to.
fn assert_three(soundings: &Soundings) {
    assert_eq!(soundings.places, [[1.5, 10.0], [2.5, 20.0], [3.5, 30.0]]);
    assert_eq!(soundings.values, [-4.25, -5.0, 6e-1]);
    assert_eq!((soundings.rows, soundings.gaps), (3, 0));
}

#[test]
fn the_same_readings_in_every_dialect() {
    for text in [
        "x,y,z\n1.5,10,-4.25\n2.5,20,-5\n3.5,30,6e-1\n",
        "1.5,10,-4.25\n2.5,20,-5\n3.5,30,6e-1",
        "\u{feff}X, Y, Z\r\n1.5, 10, -4.25\r\n2.5, 20, -5\r\n3.5, 30, 6e-1\r\n",
        "Easting (m);Northing (m);Elevation [m]\n1,5;10;-4,25\n2,5;20;-5\n3,5;30;0,6\n",
        "easting_m\tnorthing_m\televation_m\n1.5\t10\t-4.25\n2.5\t20\t-5\n3.5\t30\t0.6\n",
        "   1.5    10  -4.25 \n\n  2.5   20  -5\n# half way\n  3.5\t30  0.6",
        "# made by hand\n# z x y\n-4.25 1.5 10\n-5 2.5 20\n0.6 3.5 30\n",
        "time,\"Height\",north,east\n7,-4.25,10,1.5\n8,-5,20,2.5\n9,\"0.6\",30,3.5\n",
        "id,E,N,id2,value\na,1.5,10,b,-4.25\nc,2.5,20,,-5\n,3.5,30,d,0.6\n",
        "x,y,chlorophyll\n1.5,10,-4.25\n2.5,20,-5\n3.5,30,0.6\n",
    ] {
        assert_three(&read(text));
    }
}

#[test]
fn degrees_are_told_by_their_names() {
    for header in [
        "lon,lat,z",
        "Longitude [°],LATITUDE [°],z",
        "lon_deg,lat_deg,z",
    ] {
        assert!(read(&format!("{header}\n1,2,3\n")).geographic, "{header}");
    }
    // Both kinds of coordinates: degrees need no further word about where they are.
    let both = read("x,y,latitude,longitude,depth\n400000,5000000,45.1,7.7,3\n");
    assert_eq!((both.places[0], both.geographic), ([7.7, 45.1], true));
    assert!(!read("x,y,z\n7.7,45.1,3\n").geographic);
}

#[test]
fn named_columns_win() {
    let columns = |x: &str, y: &str, value: &str| Columns {
        x: Some(x.into()),
        y: Some(y.into()),
        value: Some(value.into()),
        ..Columns::default()
    };
    let text = b"x,y,z,raw_x,raw_y,Temp\n0,0,0,1.5,10,7\n";
    let found = parse(text, &columns("raw_x", "RAW_Y", "Temp")).unwrap();
    assert_eq!((found.places[0], found.values[0]), ([1.5, 10.0], 7.0));
    let wrong = parse(text, &columns("raw_x", "raw_y", "depth")).unwrap_err();
    assert!(
        wrong.contains("no column `depth`") && wrong.contains("`Temp`"),
        "{wrong}"
    );
    let found = parse(b"9 7 1.5 10\n", &columns("3", "4", "2")).unwrap();
    assert_eq!((found.places[0], found.values[0]), ([1.5, 10.0], 7.0));
    let wrong = parse(b"9 7 1.5 10\n", &columns("x", "4", "2")).unwrap_err();
    assert!(
        wrong.contains("no header") && wrong.contains("1 to 4"),
        "{wrong}"
    );
}

#[test]
fn gaps_are_skipped_and_counted() {
    let found = read("x,y,z\n1,2,3\n,2,3\n1,NaN,3\n1,2,null\n1,2\n4,5,6\n");
    assert_eq!((found.values.len(), found.rows, found.gaps), (2, 6, 4));
}

#[test]
fn wrong_cells_are_named_by_line_and_column() {
    let text = "# a survey\n\nlon,lat,depth\n1,2,3\n\n# noon\n1,2,abc\n";
    let message = refused(text);
    assert!(
        message.starts_with("line 7, column `depth`: `abc` is not a number"),
        "{message}"
    );
    assert!(refused("x,y,z\n1,2,3\n1,inf,3\n").starts_with("line 3, column `y`: `inf`"));
    assert!(refused("1,2,3\n1,2,x").starts_with("line 2, column `3`: `x`"));
    assert!(refused("x y z\n1 2 3\n\n\n1 2 3,4,5\n").starts_with("line 5, column `z`: `3,4,5`"));
    assert!(refused("x,y,z\r\n1,2,3\r\n\r\n1,2,1.2.3\r\n").starts_with("line 4, column `z`"));
}

#[test]
fn what_is_no_table_of_soundings_is_refused() {
    for (text, part) in [
        ("", "no readings"),
        ("# only words\n\n", "no readings"),
        ("x,y,z\n", "none of its 0 rows"),
        ("x,y,z\n,,\n", "none of its 1 rows"),
        (
            "a,b,c\n1,2,3\n",
            "recognised as x; its columns are `a`, `b`, `c`: call one `x`, or name it with --x",
        ),
        ("x,y,a,b\n1,2,3,4\n", "recognised as value"),
        ("1,2\n3,4\n", "2 columns"),
    ] {
        let message = refused(text);
        assert!(message.contains(part), "{text:?}: {message}");
    }
    assert!(
        parse(b"\xff\xfex\0,\0", &Columns::default())
            .unwrap_err()
            .contains("UTF-16")
    );
    assert!(
        parse(b"PK\x03\x04\0\0", &Columns::default())
            .unwrap_err()
            .contains("zip archive")
    );
}

#[test]
fn depths_count_downwards_in_metres_whatever_the_file_has() {
    let found = read("lon,lat,depth_ft\n1,2,-10\n1,3,-20\n1,4,5\n");
    let feet = |number: f64| number * 0.3048;
    assert_eq!(found.values, [feet(10.0), feet(20.0), feet(-5.0)]);
    assert_eq!(found.quantity, Quantity::Depth);
    assert_eq!(found.notes.len(), 2, "{:?}", found.notes);
    let heights = read("lon,lat,bathymetry_m\n1,2,-10\n");
    assert_eq!(
        (heights.values[0], heights.quantity),
        (-10.0, Quantity::Elevation)
    );
    let fathoms = Columns {
        unit: Some(Unit::Fathom),
        ..Columns::default()
    };
    assert_eq!(
        parse(b"x,y,depth\n1,2,3\n", &fathoms).unwrap().values,
        [3.0 * 1.8288]
    );
}

#[test]
fn headers_are_told_from_dated_rows_and_columns_by_number_work_with_both() {
    let rows = "08/26/2021,09:39:54,0.80,53.1618,8.639355,0.2,12\n08/26/2021,09:39:55,0.90,53.1619,8.639356,0.2,12\n";
    let refusal = refused(rows);
    assert!(
        refusal.contains("no header") && refusal.contains("--x 5 --y 4 --value 3"),
        "{refusal}"
    );
    let columns = Columns {
        x: Some("5".into()),
        y: Some("4".into()),
        value: Some("3".into()),
        ..Columns::default()
    };
    for header in ["", "date,time,depth,lat,lng,speed,sats\n"] {
        let found = parse(format!("{header}{rows}").as_bytes(), &columns).unwrap();
        assert_eq!(found.places, [[8.639_355, 53.1618], [8.639_356, 53.1619]]);
        assert_eq!(
            (found.values.as_slice(), found.clock),
            (&[0.8, 0.9][..], Clock::Dated)
        );
        // By `date -u -d 2021-08-26T09:39:54 +%s`.
        assert_eq!(found.times, [1_629_970_794.0, 1_629_970_795.0]);
    }
    let day_first = read("lon,lat,depth,date\n1,2,3,02/01/2025\n1,3,3,13/01/2025\n");
    assert_eq!(iso8601(day_first.times[0]), "2025-01-02T00:00:00Z");
}

#[test]
fn receivers_minutes_and_hemispheres_are_understood() {
    let found = read(
        "latDir;lonDir;latitude;longitude;depth\nS;W;5001.9473;1959.712;3\nS;W;5002.0;1959.9;4\n",
    );
    assert!(
        (found.places[0][1] + 50.032_455).abs() < 1e-6,
        "{:?}",
        found.places
    );
    assert!(
        (found.places[0][0] + 19.995_2).abs() < 1e-6,
        "{:?}",
        found.places
    );
    assert_eq!(found.notes.len(), 2, "{:?}", found.notes);
    let words = read("lonDegree,latDegree,depth\n19.9,50.1,2\n");
    assert!(words.geographic);
}

#[test]
fn one_place_gives_one_reading() {
    let merged = read("x,y,z\n0,0,1\n5,5,2\n0,0,1\n-0,0,4\n0,0,4\n5,5.1,9\n").merged();
    assert_eq!(merged.places, [[0.0, 0.0], [5.0, 5.0], [5.0, 5.1]]);
    assert_eq!(merged.values, [2.5, 2.0, 9.0]);
    assert_eq!((merged.repeated, merged.averaged), (2, 1));
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse(&bytes, &Columns::default());
        let _ = parse(&[b"x,y,z\n1,2,3\n", &bytes[..]].concat(), &Columns::default());
    }

    #[test]
    fn no_text_makes_it_panic(text in "[0-9xyz ,;\t\r\n#\"'.eE+-]{0,200}") {
        let _ = parse(text.as_bytes(), &Columns::default());
    }

    #[test]
    fn numbers_come_back_as_they_were_written(
        rows in prop::collection::vec(prop::array::uniform3(-1e9_f64..1e9), 1..50),
        separator in prop::sample::select(vec![",", ";", "\t", "  "]),
    ) {
        let mut text = ["x", "y", "z"].join(separator) + "\n";
        for row in &rows {
            text += &(row.map(|number| number.to_string()).join(separator) + "\n");
        }
        let found = read(&text);
        let back: Vec<[f64; 3]> = found.places.iter().zip(&found.values).map(|(p, v)| [p[0], p[1], *v]).collect();
        prop_assert_eq!(back, rows);
    }
}
