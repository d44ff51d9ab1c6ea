//! What stands round the map: page, style, scale bar, caption.

use super::{
    DrawConfig,
    canvas::{Canvas, LEGEND, escape, number},
};

/// Whether anything stands below the map.
pub(super) fn has_footer(config: &DrawConfig) -> bool {
    config.scale_bar || config.caption.is_some()
}

/// The beginning of the file: size, title for screen readers, style, page.
pub(super) fn open(canvas: &Canvas, title: &str, config: &DrawConfig) -> String {
    let (width, height) = (number(canvas.width), number(canvas.height));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n<style>\
         path,line{{fill:none;stroke-linejoin:round;stroke-linecap:round}}\
         text{{font:13px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}}{}</style>\n\
         <rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n",
        escape(title),
        config.theme.style()
    )
}

/// The end of the file: scale bar at the left, caption at the right.
pub(super) fn close(out: &mut String, canvas: &Canvas, config: &DrawConfig) {
    let base = canvas.height - 24.0;
    if config.scale_bar {
        let (metres, words) = bar_length(canvas.width / 5.0 / canvas.scale);
        let (left, right) = (24.0, 24.0 + metres * canvas.scale);
        out.push_str(&format!(
            "<path class=\"bar\" stroke-width=\"1.5\" d=\"M{l} {t}v8M{l} {b}H{r}M{r} {t}v8\"/>\n\
             <text x=\"{}\" y=\"{}\">{words}</text>\n",
            number(right + 8.0),
            number(base + 4.5),
            l = number(left),
            r = number(right),
            t = number(base - 4.0),
            b = number(base),
        ));
    }
    if let Some(caption) = &config.caption {
        out.push_str(&format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
            number(canvas.width - 24.0),
            number(base + 4.5),
            escape(caption)
        ));
    }
    out.push_str("</svg>\n");
}

/// A row of colours and their words above the scale bar; colours without words follow each other as a band, words may have no colour.
pub(super) fn legend(out: &mut String, canvas: &Canvas, known: &[(String, String)]) {
    /// Side of a colour and width of one in a band [px], and about how wide a letter is.
    const SIDE: f64 = 12.0;
    const BAND: f64 = 3.0;
    const LETTER: f64 = 7.2;
    let (mut x, base) = (24.0, canvas.height - 24.0 - LEGEND);
    for (paint, words) in known {
        let width = if words.is_empty() { BAND } else { SIDE };
        if !paint.is_empty() {
            out.push_str(&format!(
                "<rect {paint} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{SIDE}\"/>\n",
                number(x),
                number(base - SIDE / 2.0),
                number(width)
            ));
            x += if words.is_empty() { width } else { width + 6.0 };
        }
        if !words.is_empty() {
            // Beside a band there is some room.
            let room = if paint.is_empty() { 8.0 } else { 0.0 };
            let left = if x > 24.0 { x + room } else { x };
            out.push_str(&format!(
                "<text x=\"{}\" y=\"{}\">{}</text>\n",
                number(left),
                number(base + 4.5),
                escape(words)
            ));
            x = left + words.chars().count() as f64 * LETTER + if paint.is_empty() { 4.0 } else { 18.0 };
        }
    }
}

/// The longest of 1, 2, 5 × 10^k metres up to `limit`, and how to say it.
fn bar_length(limit: f64) -> (f64, String) {
    // Integer powers only: the same digits on every machine.
    let mut step = 1.0;
    while step > limit && step > 1e-9 {
        step /= 10.0;
    }
    while step * 10.0 <= limit && step < 1e9 {
        step *= 10.0;
    }
    let metres = [5.0, 2.0, 1.0].map(|k| k * step).into_iter().find(|&m| m <= limit).unwrap_or(step);
    let words = match metres {
        m if m >= 1000.0 => format!("{} km", (m / 1000.0).round()),
        m if m >= 0.999 => format!("{} m", m.round()),
        m if m >= 0.00999 => format!("{} cm", (m * 100.0).round()),
        m if m >= 0.000999 => format!("{} mm", (m * 1000.0).round()),
        m if m >= 0.999e-6 => format!("{} µm", (m * 1e6).round()),
        m => format!("{} nm", (m * 1e9).round().max(1.0)),
    };
    (metres, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_bar_has_a_round_length_that_fits() {
        for (limit, words) in [
            (1.0, "1 m"),
            (4.9, "2 m"),
            (50.0, "50 m"),
            (999.0, "500 m"),
            (0.3, "20 cm"),
            (2500.0, "2 km"),
            (3e-6, "2 µm"),
            (3e-8, "20 nm"),
            (1.5e-9, "1 nm"),
        ] {
            let (metres, said) = bar_length(limit);
            assert!(metres <= limit * 1.001);
            assert_eq!(said, words);
        }
    }
}
