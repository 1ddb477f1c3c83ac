/** Sizes that the kernel and its host agree on. */

/** Border of repeated edges around every picture of a pyramid, in pixels: a patch may hang over by its own size. */
export const PAD: i32 = 12
/** Side of a patch, and how far apart patches lie. */
export const PATCH: i32 = 8
export const STEP: i32 = 4
/** Floats kept for a patch: flow x, y; inverse of its structure matrix; means of its gradients; whether it matches inside. */
export const PATCH_FLOATS: i32 = 8
