//! Temporary: replaced by the classical evaluation.
use crate::attacks::Board;
use crate::position::{Position, piece_value};
use crate::types::{Role, Value};
#[derive(Default)]
pub struct Evaluator<G: Board>(std::marker::PhantomData<G>);
impl<G: Board> Evaluator<G> {
    pub fn new() -> Self {
        Evaluator(std::marker::PhantomData)
    }
    pub fn evaluate(&mut self, p: &Position<G>) -> Value {
        let us = p.side_to_move();
        Role::ALL
            .iter()
            .map(|&r| {
                piece_value(r) * (p.pieces(us, r).count() as i32 - p.pieces(!us, r).count() as i32)
            })
            .sum()
    }
}
pub fn trace<G: Board>(p: &Position<G>) -> i32 {
    Evaluator::new().evaluate(p)
}
