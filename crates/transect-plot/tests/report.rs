//! The report is one page that needs nothing else.

use transect_plot::report::{Cell, Illustration, Section, Table};
use transect_plot::{Bars, Figure, PlotError, Report};

fn page() -> Result<String, PlotError> {
    let figure =
        Figure::new("Histogram").panel(Bars::new("x", "n", &[0.0, 1.0, 2.0], &[3.0, 4.0])?);
    let table = Table::new(["Kernel", "SMSE"])
        .caption("Results")
        .row([Cell::text("RBF"), Cell::number("0.3").worse()])
        .row([
            Cell::text("AK"),
            Cell::number("0.1").better(),
            Cell::text("one too many"),
        ])
        .row([Cell::text("lonely")]);
    Ok(Report::new("Title <&>")
        .intro("First.\n\nSecond \"quoted\".")
        .warning("Read <this>")
        .section(
            Section::new("One & only")
                .text("<script>alert(1)</script>")
                .table(table)
                .code("a < b"),
        )
        .section(
            Section::new("Two")
                .figure(
                    Illustration::svg(&figure)
                        .caption("As lines")
                        .alt("a \"plot\""),
                )
                .figure(Illustration::svg(&figure).caption("Again"))
                .figure(
                    Illustration::png(&figure, 1.0)?
                        .caption("As pixels")
                        .alt("pixels"),
                )
                .warning("Careful"),
        )
        .to_html())
}

/// HTML is not XML, but this page is written so that it becomes XML once its four void elements are closed.
fn as_xml(html: &str) -> String {
    let mut xml = html.replace("<!DOCTYPE html>", "");
    for tag in ["<meta ", "<img "] {
        let mut out = String::new();
        for (i, part) in xml.split(tag).enumerate() {
            if i == 0 {
                out.push_str(part);
            } else {
                out.push_str(tag);
                out.push_str(&part.replacen('>', "/>", 1));
            }
        }
        xml = out;
    }
    xml
}

#[test]
fn the_page_is_well_formed_and_its_ids_are_unique() -> Result<(), PlotError> {
    let xml = as_xml(&page()?);
    let document = roxmltree::Document::parse(&xml).expect("balanced and escaped");
    let mut ids: Vec<&str> = document
        .descendants()
        .filter_map(|n| n.attribute("id"))
        .collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    for link in document
        .descendants()
        .filter_map(|n| n.attribute("href"))
        .filter_map(|l| l.strip_prefix('#'))
    {
        assert!(ids.binary_search(&link).is_ok(), "{link} leads nowhere");
    }
    let contents: Vec<&str> = document
        .descendants()
        .filter(|n| n.has_tag_name("a"))
        .filter_map(|n| n.text())
        .collect();
    assert_eq!(contents, ["One & only", "Two"]);
    let rows = document.descendants().filter(|n| n.has_tag_name("tr"));
    assert!(
        rows.map(|r| r.children().count()).all(|n| n == 3),
        "every row has as many cells as the longest"
    );
    Ok(())
}

#[test]
fn nothing_is_fetched_and_nothing_runs() -> Result<(), PlotError> {
    let html = page()?;
    assert!(!html.contains("<script"), "text is escaped");
    assert!(!html.contains("url(") && !html.contains("@import") && !html.contains("<link"));
    for (i, _) in html.match_indices("http") {
        assert!(
            html[i..].starts_with("http://www.w3.org/2000/svg"),
            "{}",
            &html[i..i + 40]
        );
    }
    for (i, _) in html.match_indices("src=\"") {
        assert!(html[i..].starts_with("src=\"data:image/png;base64,"));
    }
    Ok(())
}

#[test]
fn text_is_shown_as_written() -> Result<(), PlotError> {
    let html = page()?;
    assert!(html.contains("<title>Title &lt;&amp;&gt;</title>"));
    assert!(html.contains("<p>First.</p>\n<p>Second &quot;quoted&quot;.</p>"));
    assert!(html.contains("&lt;script&gt;"));
    assert!(html.contains("class=\"number better\"") && html.contains("class=\"number worse\""));
    assert!(html.contains("aria-label=\"a &quot;plot&quot;\""));
    assert_eq!(html.matches("class=\"warning\"").count(), 2);
    assert_eq!(page()?, html, "the same input gives the same bytes");
    Ok(())
}
