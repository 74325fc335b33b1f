//! Memory for numbers that hot loops run through.
//!
//! It starts on a cache line. Large pieces ask the system for huge pages: a kernel matrix and its
//! primitives are thousands of ordinary pages, more than a processor keeps the addresses of, and each
//! miss costs as much as a cache miss (more in a virtual machine). Measured at 700 points, that makes the
//! passes over the primitives about a third faster.

use crate::simd::{LANES, Lanes};
use std::ops::{Deref, DerefMut};

/// Bytes of a cache line.
pub(crate) const LINE: usize = 64;
/// Bytes of a huge page; smaller pieces are not worth one.
#[cfg(target_os = "linux")]
const HUGE: usize = 2 << 20;

/// Numbers in aligned memory.
#[derive(Debug)]
pub(crate) struct Buffer {
    memory: Memory,
    /// Where the first number on a cache line is.
    start: usize,
    len: usize,
}

#[derive(Debug)]
enum Memory {
    Heap(Vec<f64>),
    #[cfg(target_os = "linux")]
    Pages(memmap2::MmapMut),
}

impl Buffer {
    /// `len` zeros.
    pub(crate) fn zeroed(len: usize) -> Self {
        #[cfg(target_os = "linux")]
        if let Some(memory) = huge_pages(len) {
            return Self {
                memory,
                start: 0,
                len,
            };
        }
        let numbers = vec![0.0; len + LINE / size_of::<f64>()];
        let start = numbers.as_ptr().align_offset(LINE);
        Self {
            start: start.min(numbers.len() - len),
            memory: Memory::Heap(numbers),
            len,
        }
    }
}

/// `len` zeros in huge pages, where the system has them to give; it may still use ordinary ones.
#[cfg(target_os = "linux")]
fn huge_pages(len: usize) -> Option<Memory> {
    let bytes = len.checked_mul(size_of::<f64>())?;
    if bytes < HUGE {
        return None;
    }
    let pages = memmap2::MmapMut::map_anon(bytes.checked_next_multiple_of(HUGE)?).ok()?;
    // Only a wish: memory without huge pages is slower, not wrong.
    let _ = pages.advise(memmap2::Advice::HugePage);
    Some(Memory::Pages(pages))
}

/// A list of vectors that each lie on one cache line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vectors {
    numbers: Buffer,
    len: usize,
}

impl Vectors {
    /// Makes it `len` long and keeps what it holds; what is new is not specified. Allocates with room to grow.
    pub(crate) fn resize(&mut self, len: usize) {
        if len * LANES > self.numbers.len() {
            let mut numbers = Buffer::zeroed((len + len / 8) * LANES);
            numbers[..self.len * LANES].copy_from_slice(self.as_flattened());
            self.numbers = numbers;
        }
        self.len = len;
    }

    /// Makes it `len` zeros.
    pub(crate) fn zero(&mut self, len: usize) {
        self.resize(len);
        self.fill([0.0; LANES]);
    }
}

impl Deref for Vectors {
    type Target = [Lanes];

    #[inline]
    fn deref(&self) -> &[Lanes] {
        &self.numbers.as_chunks().0[..self.len]
    }
}

impl DerefMut for Vectors {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Lanes] {
        &mut self.numbers.as_chunks_mut().0[..self.len]
    }
}

impl Default for Buffer {
    fn default() -> Self {
        Self {
            memory: Memory::Heap(Vec::new()),
            start: 0,
            len: 0,
        }
    }
}

impl Clone for Buffer {
    fn clone(&self) -> Self {
        let mut copy = Self::zeroed(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl Deref for Buffer {
    type Target = [f64];

    #[inline]
    fn deref(&self) -> &[f64] {
        let numbers = match &self.memory {
            Memory::Heap(numbers) => numbers,
            #[cfg(target_os = "linux")]
            Memory::Pages(pages) => bytemuck::cast_slice(pages),
        };
        &numbers[self.start..][..self.len]
    }
}

impl DerefMut for Buffer {
    #[inline]
    fn deref_mut(&mut self) -> &mut [f64] {
        let numbers = match &mut self.memory {
            Memory::Heap(numbers) => &mut numbers[..],
            #[cfg(target_os = "linux")]
            Memory::Pages(pages) => bytemuck::cast_slice_mut(pages),
        };
        &mut numbers[self.start..][..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_lie_on_cache_lines_and_grow() {
        let mut vectors = Vectors::default();
        assert!(vectors.is_empty());
        vectors.resize(3);
        vectors[2] = [7.0; LANES];
        vectors.resize(1000);
        assert_eq!((vectors.len(), vectors[2]), (1000, [7.0; LANES]));
        assert_eq!(vectors.as_ptr().align_offset(LINE), 0);
    }

    #[test]
    fn small_and_large_pieces_are_zero_aligned_and_can_be_copied() {
        for len in [0, 1, 7, 1000, 300_000] {
            let mut buffer = Buffer::zeroed(len);
            assert_eq!(buffer.len(), len);
            assert!(buffer.iter().all(|x| *x == 0.0));
            assert_eq!(buffer.as_ptr().align_offset(LINE), 0);
            if let Some(last) = buffer.last_mut() {
                *last = 1.0;
            }
            assert_eq!(buffer[..], buffer.clone()[..]);
        }
    }
}
