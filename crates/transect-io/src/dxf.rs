//! Contours as DXF (AutoCAD R12, ASCII): polylines at their height, in the map's own metres.

use crate::contours::Contour;
use std::fmt::Write;

/// The text of a drawing. Depths are drawn at the opposite of their value, so that it is not inside out.
#[must_use]
pub fn dxf(contours: &[Contour], depths: bool) -> String {
    let mut text = String::from("0\nSECTION\n2\nENTITIES\n");
    for contour in contours {
        let height = if depths {
            -contour.level
        } else {
            contour.level
        };
        let closed = contour.line.len() > 2 && contour.line.first() == contour.line.last();
        let points = &contour.line[..contour.line.len() - usize::from(closed)];
        // Writing to a string cannot fail. Flag 8 is a polyline in space, 1 a closed one.
        let flag = 8 + u8::from(closed);
        let _ = write!(
            text,
            "0\nPOLYLINE\n8\nCONTOURS\n66\n1\n70\n{flag}\n10\n0.0\n20\n0.0\n30\n{height}\n"
        );
        for at in points {
            let _ = write!(
                text,
                "0\nVERTEX\n8\nCONTOURS\n70\n32\n10\n{:.3}\n20\n{:.3}\n30\n{height}\n",
                at.x, at.y
            );
        }
        text += "0\nSEQEND\n8\nCONTOURS\n";
    }
    text + "0\nENDSEC\n0\nEOF\n"
}
