//! Scratch memory that is handed to kernels.

use std::any::Any;
use std::fmt;

/// Memory that a kernel works in, so that repeated calls need not allocate. It belongs to the caller, who keeps one
/// for each kernel and task; what it holds is the kernel's business and never changes a result.
///
/// ```
/// use transect_gp::kernel::Memory;
/// let mut memory = Memory::default();
/// memory.of::<Vec<f64>>().push(1.0);
/// assert_eq!(memory.of::<Vec<f64>>(), &[1.0]);
/// // Asked for another type, it starts anew.
/// assert!(memory.of::<String>().is_empty());
/// ```
#[derive(Default)]
pub struct Memory(Option<Box<dyn Any + Send + Sync>>);

impl Memory {
    /// What is remembered of this type; a new one if there is none.
    pub fn of<T: Any + Send + Sync + Default>(&mut self) -> &mut T {
        if !self.0.as_ref().is_some_and(|held| held.is::<T>()) {
            self.0 = Some(Box::new(T::default()));
        }
        let held = self.0.as_mut().and_then(|held| held.downcast_mut());
        held.expect("the slot was just made to hold this type")
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Some(_) => "Memory(in use)",
            None => "Memory(empty)",
        })
    }
}
