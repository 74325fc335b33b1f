//! Writes a scene as a PDF of one page, with real text: words can be searched, copied and edited.
//!
//! One page, its drawing, the two fonts where they are used (whole, as OpenType, with glyph numbers for codes and a table back to
//! letters), pictures with their transparency. PDF 1.7; nothing but the standard's plainest parts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;

use super::{Bitmap, Item, Path, Scene, Segment, Stroke, Text};
use crate::color::Color;
use crate::font::{self, Weight};

/// Points per pixel.
const POINTS: f64 = 0.75;

pub(super) fn write(scene: &Scene) -> Vec<u8> {
    let mut drawing = Drawing::default();
    let height = scene.height * POINTS;
    // y grows down, as in the scene.
    let _ = writeln!(
        drawing.content,
        "{POINTS} 0 0 -{POINTS} 0 {} cm",
        number(height)
    );
    for item in &scene.items {
        drawing.item(item);
    }
    drawing.document(scene, height)
}

#[derive(Default)]
struct Drawing {
    content: String,
    /// Opacities in use, in thousandths.
    opacities: BTreeSet<u32>,
    /// Letters in use, with their glyphs and advances.
    letters: BTreeMap<Weight, BTreeMap<u16, (char, f64)>>,
    pictures: Vec<Bitmap>,
}

impl Drawing {
    fn item(&mut self, item: &Item) {
        match item {
            Item::Path { path, fill, stroke } => self.path(path, *fill, stroke.as_ref()),
            Item::Markers {
                marker,
                at,
                radius,
                fill,
                rim,
            } => {
                let outline = marker.outline(*radius);
                let mut all = Path::default();
                for p in at.iter().filter(|p| p[0].is_finite() && p[1].is_finite()) {
                    all.append(outline.mapped(|q| [q[0] + p[0], q[1] + p[1]]));
                }
                let rim = rim.map(|(color, width)| Stroke::solid(color, width));
                self.path(&all, Some(*fill), rim.as_ref());
            }
            Item::Text(text) => self.text(text),
            Item::Image { bitmap, rect, .. } => {
                // Pictures stand on their feet in PDF: turned over again.
                let [x, y, w, h] = [rect.x, rect.y + rect.h, rect.w, -rect.h].map(number);
                let name = self.pictures.len();
                let _ = writeln!(self.content, "q {w} 0 0 {h} {x} {y} cm /I{name} Do Q");
                self.pictures.push(bitmap.clone());
            }
            Item::Clip { rect, items } => {
                let [x, y, w, h] = [rect.x, rect.y, rect.w, rect.h].map(number);
                let _ = writeln!(self.content, "q {x} {y} {w} {h} re W n");
                for item in items {
                    self.item(item);
                }
                self.content.push_str("Q\n");
            }
        }
    }

    fn opacity(&mut self, color: Color) {
        if color.a != 255 {
            let thousandths = (f64::from(color.a) / 255.0 * 1000.0).round() as u32;
            self.opacities.insert(thousandths);
            let _ = writeln!(self.content, "/O{thousandths} gs");
        }
    }

    fn path(&mut self, path: &Path, fill: Option<Color>, stroke: Option<&Stroke>) {
        if path.segments.is_empty() {
            return;
        }
        let outline = outline(path);
        if let Some(color) = fill {
            self.content.push_str("q\n");
            self.opacity(color);
            let _ = writeln!(self.content, "{} rg\n{outline}f\nQ", rgb(color));
        }
        if let Some(stroke) = stroke {
            self.content.push_str("q\n");
            self.opacity(stroke.color);
            let dash: Vec<String> = stroke.dash.iter().map(|d| number(*d)).collect();
            let cap = if dash.is_empty() { 1 } else { 0 };
            let _ = writeln!(
                self.content,
                "{} RG {} w 1 j {cap} J [{}] 0 d\n{outline}S\nQ",
                rgb(stroke.color),
                number(stroke.width),
                dash.join(" ")
            );
        }
    }

    fn text(&mut self, text: &Text) {
        let letters = self.letters.entry(text.weight).or_default();
        let mut codes = String::new();
        for (letter, (glyph, advance)) in
            text.text.chars().zip(font::glyphs(&text.text, text.weight))
        {
            letters.insert(glyph, (letter, advance));
            let _ = write!(codes, "{glyph:04x}");
        }
        let (sin, cos) = text.turn.to_radians().sin_cos();
        let along = text.start_offset();
        let (x, y) = (text.at[0] + along * cos, text.at[1] + along * sin);
        self.content.push_str("q\n");
        self.opacity(text.color);
        let [a, b, c, d] = [cos, sin, sin, -cos].map(|v| decimal(v, 5));
        let _ = writeln!(
            self.content,
            "BT {} rg /{} {} Tf {a} {b} {c} {d} {} {} Tm <{codes}> Tj ET\nQ",
            rgb(text.color),
            font_name(text.weight),
            number(text.size),
            number(x),
            number(y),
        );
    }

    fn document(self, scene: &Scene, height: f64) -> Vec<u8> {
        let mut file = File::default();
        let (catalog, pages, page) = (file.reserve(), file.reserve(), file.reserve());
        let content = file.stream("", self.content.as_bytes());
        let mut fonts = String::new();
        for (weight, letters) in &self.letters {
            let id = file.font(*weight, letters);
            let _ = write!(fonts, "/{} {id} 0 R ", font_name(*weight));
        }
        let mut pictures = String::new();
        for (name, bitmap) in self.pictures.iter().enumerate() {
            let id = file.picture(bitmap);
            let _ = write!(pictures, "/I{name} {id} 0 R ");
        }
        let mut states = String::new();
        for thousandths in &self.opacities {
            let share = decimal(f64::from(*thousandths) / 1000.0, 3);
            let _ = write!(states, "/O{thousandths} << /ca {share} /CA {share} >> ");
        }
        let title: String = scene
            .title
            .encode_utf16()
            .map(|unit| format!("{unit:04X}"))
            .collect();
        let info = file.object(&format!("<< /Title <FEFF{title}> /Producer (transect) >>"));
        file.put(catalog, &format!("<< /Type /Catalog /Pages {pages} 0 R >>"));
        file.put(
            pages,
            &format!("<< /Type /Pages /Kids [{page} 0 R] /Count 1 >>"),
        );
        file.put(
            page,
            &format!(
                "<< /Type /Page /Parent {pages} 0 R /MediaBox [0 0 {} {}] /Contents {content} 0 R /Resources << /Font << {fonts}>> \
                 /XObject << {pictures}>> /ExtGState << {states}>> >> >>",
                number(scene.width * POINTS),
                number(height),
            ),
        );
        file.finish(catalog, info)
    }
}

fn font_name(weight: Weight) -> &'static str {
    match weight {
        Weight::Regular => "Regular",
        Weight::SemiBold => "SemiBold",
    }
}

fn outline(path: &Path) -> String {
    let mut text = String::new();
    let point = |p: [f64; 2]| format!("{} {}", number(p[0]), number(p[1]));
    for segment in &path.segments {
        let _ = match *segment {
            Segment::Move(p) => writeln!(text, "{} m", point(p)),
            Segment::Line(p) => writeln!(text, "{} l", point(p)),
            Segment::Cubic(a, b, p) => writeln!(text, "{} {} {} c", point(a), point(b), point(p)),
            Segment::Close => writeln!(text, "h"),
        };
    }
    text
}

fn rgb(color: Color) -> String {
    [color.r, color.g, color.b]
        .map(|part| decimal(f64::from(part) / 255.0, 3))
        .join(" ")
}

fn number(v: f64) -> String {
    decimal(v, 2)
}

fn decimal(v: f64, places: usize) -> String {
    let text = format!("{v:.places$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if matches!(text, "-0" | "") {
        "0".into()
    } else {
        text.into()
    }
}

/// A file in the making: numbered objects, and where each begins.
#[derive(Default)]
struct File {
    objects: Vec<Vec<u8>>,
}

impl File {
    /// A number for an object that comes later.
    fn reserve(&mut self) -> usize {
        self.objects.push(Vec::new());
        self.objects.len()
    }

    fn put(&mut self, id: usize, body: &str) {
        self.objects[id - 1] = body.as_bytes().to_vec();
    }

    fn object(&mut self, body: &str) -> usize {
        self.objects.push(body.as_bytes().to_vec());
        self.objects.len()
    }

    /// A packed stream with more entries in its dictionary.
    fn stream(&mut self, entries: &str, contents: &[u8]) -> usize {
        let mut packed =
            flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        // Writing to memory cannot fail.
        let _ = packed.write_all(contents);
        let packed = packed.finish().unwrap_or_default();
        let length = packed.len();
        let mut body =
            format!("<< /Length {length} /Filter /FlateDecode {entries} >>\nstream\n").into_bytes();
        body.extend(packed);
        body.extend(b"\nendstream");
        self.objects.push(body);
        self.objects.len()
    }

    fn font(&mut self, weight: Weight, letters: &BTreeMap<u16, (char, f64)>) -> usize {
        let file = self.stream("/Subtype /OpenType", font::file(weight));
        let name = format!("Inter-{}", font_name(weight));
        let descriptor = self.object(&format!(
            "<< /Type /FontDescriptor /FontName /{name} /Flags 4 /FontBBox [-750 -270 2650 1110] /ItalicAngle 0 /Ascent 969 /Descent -242 \
             /CapHeight 727 /StemV 80 /FontFile3 {file} 0 R >>"
        ));
        let mut widths = String::new();
        let mut codes = String::new();
        for (glyph, (letter, advance)) in letters {
            let _ = write!(
                widths,
                "{glyph} [{}] ",
                number(advance / font::UNITS_PER_EM * 1000.0)
            );
            let units: String = letter
                .encode_utf16(&mut [0; 2])
                .iter()
                .map(|u| format!("{u:04X}"))
                .collect();
            let _ = writeln!(codes, "<{glyph:04x}> <{units}>");
        }
        // No more than a hundred letters stand in a block.
        let blocks: Vec<&str> = codes.lines().collect();
        let blocks: String = blocks
            .chunks(100)
            .map(|lines| {
                format!(
                    "{} beginbfchar\n{}\nendbfchar\n",
                    lines.len(),
                    lines.join("\n")
                )
            })
            .collect();
        let map = format!(
            "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Letters def\n/CMapType 2 def\n\
             1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n{blocks}endcmap\nend\nend\n"
        );
        let map = self.stream("", map.as_bytes());
        let inner = self.object(&format!(
            "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /{name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> \
             /FontDescriptor {descriptor} 0 R /W [{widths}] >>"
        ));
        self.object(&format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H /DescendantFonts [{inner} 0 R] /ToUnicode {map} 0 R >>"
        ))
    }

    fn picture(&mut self, bitmap: &Bitmap) -> usize {
        let pixels = bitmap.pixels();
        let size = format!(
            "/Type /XObject /Subtype /Image /Width {} /Height {} /BitsPerComponent 8",
            bitmap.width(),
            bitmap.height()
        );
        let mask = pixels.iter().any(|p| p.a != 255).then(|| {
            let alpha: Vec<u8> = pixels.iter().map(|p| p.a).collect();
            self.stream(&format!("{size} /ColorSpace /DeviceGray"), &alpha)
        });
        let mask = mask.map_or(String::new(), |id| format!("/SMask {id} 0 R"));
        let colors: Vec<u8> = pixels.iter().flat_map(|p| [p.r, p.g, p.b]).collect();
        self.stream(&format!("{size} /ColorSpace /DeviceRGB {mask}"), &colors)
    }

    fn finish(self, catalog: usize, info: usize) -> Vec<u8> {
        let mut file = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
        let mut table = String::from("0000000000 65535 f \n");
        for (i, body) in self.objects.iter().enumerate() {
            let _ = writeln!(table, "{:010} 00000 n ", file.len());
            file.extend(format!("{} 0 obj\n", i + 1).as_bytes());
            file.extend(body);
            file.extend(b"\nendobj\n");
        }
        let (start, count) = (file.len(), self.objects.len() + 1);
        let tail = format!(
            "xref\n0 {count}\n{table}trailer\n<< /Size {count} /Root {catalog} 0 R /Info {info} 0 R >>\nstartxref\n{start}\n%%EOF\n"
        );
        file.extend(tail.as_bytes());
        file
    }
}
