//! Numbers for tables.

use std::fmt;

/// A mean and half of its 95 % confidence interval.
#[derive(Clone, Copy, Debug)]
pub struct Mean {
    pub mean: f64,
    pub half: f64,
}

/// Student's t for 97.5 % by degrees of freedom, from 1.
const STUDENT: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];

impl Mean {
    pub fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let numbers: Vec<f64> = numbers.collect();
        let count = numbers.len().max(1) as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let squares = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
        let free = numbers.len().saturating_sub(1).clamp(1, STUDENT.len());
        let half = STUDENT[free - 1] * (squares / (count - 1.0).max(1.0) / count).sqrt();
        Self { mean, half }
    }
}

/// By how much one kind of run differs from another, seed by seed: what seeds have in common is no doubt about the difference.
pub fn pairs(ours: impl Iterator<Item = f64>, theirs: impl Iterator<Item = f64>, digits: usize) -> String {
    let Mean { mean, half } = Mean::of(ours.zip(theirs).map(|(a, b)| a - b));
    format!("{mean:+.digits$} ± {half:.digits$}")
}

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = if self.mean.abs() >= 20.0 { 1 } else { 2 };
        write!(f, "{:.digits$} ± {:.digits$}", self.mean, self.half)
    }
}
