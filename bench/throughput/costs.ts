/** What the server of this benchmark needs, in the proportions of a small vision-language model on one accelerator. */
export const ENCODE_MS = 2
export const PICTURE_TOKENS = 256
export const PREFILL_MS = 0.006
export const DECODE_MS = 60
