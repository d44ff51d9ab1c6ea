//! How often values occur: bars over ranges of equal width, with their mean.

use super::canvas::number;
use std::fmt::Write as _;

/// Ranges of equal width from 0, and how many values each holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// Upper end of each range.
    pub upper: Vec<f64>,
    /// Values in it.
    pub counts: Vec<usize>,
    /// Mean of all values.
    pub mean: f64,
}

impl Histogram {
    /// Of values that are not negative; others are left out.
    pub fn of(values: impl IntoIterator<Item = f64>, ranges: usize) -> Self {
        let values: Vec<f64> =
            values.into_iter().filter(|value| *value >= 0.0 && value.is_finite()).collect();
        let highest = values.iter().copied().fold(0.0, f64::max);
        let ranges = ranges.max(1);
        let width = if highest > 0.0 { highest / ranges as f64 } else { 1.0 };
        let mut counts = vec![0; ranges];
        for value in &values {
            counts[((value / width) as usize).min(ranges - 1)] += 1;
        }
        let upper = (1..=ranges).map(|k| k as f64 * width).collect();
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        Self { upper, counts, mean }
    }
}

/// What stands at a histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct HistogramWords<'a> {
    /// Over it.
    pub title: &'a str,
    /// Along the values.
    pub values: &'a str,
    /// Along the numbers.
    pub counts: &'a str,
}

const LEFT: f64 = 70.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 56.0;
const RIGHT: f64 = 24.0;

/// Draws a histogram, so many pixels wide.
pub fn draw_histogram(histogram: &Histogram, words: &HistogramWords<'_>, width: f64) -> String {
    let height = 0.55 * width;
    let (inner, tall) = (width - LEFT - RIGHT, height - TOP - BOTTOM);
    let highest = histogram.upper.last().copied().unwrap_or(1.0);
    let most = histogram.counts.iter().copied().max().unwrap_or(0).max(1);
    let x = |value: f64| number(LEFT + inner * value / highest);
    let y = |count: f64| number(TOP + tall * (1.0 - count / most as f64));
    let (w, h, base) = (number(width), number(height), number(TOP + tall));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#1b1f27\">\n<title>{title}</title>\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n<text x=\"{l}\" y=\"26\" font-size=\"16\" font-weight=\"600\">{title}</text>\n",
        title = escaped(words.title),
        l = number(LEFT),
    );
    // Writing to a string cannot fail.
    for k in 0..=4 {
        let count = most as f64 * f64::from(k) / 4.0;
        let _ = writeln!(
            out,
            "<path d=\"M{} {yk}H{}\" stroke=\"#dfe3ea\"/><text x=\"{}\" y=\"{yk}\" dy=\"4\" text-anchor=\"end\">{count:.0}</text>",
            number(LEFT),
            number(width - RIGHT),
            number(LEFT - 8.0),
            yk = y(count),
        );
        let value = highest * f64::from(k) / 4.0;
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            x(value),
            number(TOP + tall + 20.0),
            short(value)
        );
    }
    let mut low = 0.0;
    for (&upper, &count) in histogram.upper.iter().zip(&histogram.counts) {
        let _ = writeln!(
            out,
            "<path d=\"M{a} {base}V{top}H{b}V{base}Z\" fill=\"#3b7dd8\" stroke=\"#ffffff\"><title>{} to {}: {count}</title></path>",
            short(low),
            short(upper),
            a = x(low),
            b = x(upper),
            top = y(count as f64),
        );
        low = upper;
    }
    let mean = x(histogram.mean);
    let _ = write!(
        out,
        "<path d=\"M{mean} {}V{base}\" stroke=\"#c2410c\" stroke-width=\"2\" stroke-dasharray=\"5 4\"/>\n\
         <text x=\"{mean}\" dx=\"6\" y=\"{}\" fill=\"#c2410c\">mean {}</text>\n\
         <path d=\"M{} {base}H{}\" stroke=\"#1b1f27\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
         <text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n</svg>\n",
        number(TOP),
        number(TOP + 12.0),
        short(histogram.mean),
        number(LEFT),
        number(width - RIGHT),
        number(LEFT + inner / 2.0),
        number(height - 14.0),
        escaped(words.values),
        number(TOP + tall / 2.0),
        escaped(words.counts),
    );
    out
}

/// Three digits that count.
fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        size if size >= 1e-3 => format!("{value:.4}"),
        _ => format!("{value:.1e}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_one_range() {
        let histogram = Histogram::of([0.0, 0.1, 0.5, 0.99, 1.0, f64::NAN, f64::INFINITY, -1.0], 4);
        assert_eq!(histogram.upper, [0.25, 0.5, 0.75, 1.0]);
        assert_eq!(histogram.counts, [2, 0, 1, 2]);
        assert!((histogram.mean - 2.59 / 5.0).abs() < 1e-15);
        for nothing in [Histogram::of([], 3), Histogram::of([0.0; 5], 3)] {
            assert_eq!(nothing.upper.len(), 3);
            let words = HistogramWords { title: "a < b", values: "v", counts: "n" };
            let svg = draw_histogram(&nothing, &words, 600.0);
            assert!(svg.contains("a &lt; b") && !svg.contains("NaN") && !svg.contains("inf"));
        }
    }
}
