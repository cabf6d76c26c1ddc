/**
 * Numbers of typed arrays at places within their bounds, which nothing checks: inner loops read through them. One function for each kind of
 * array keeps them as fast as the array itself.
 */
export const intAt = (column: Int32Array, at: number): number => column[at]!;
export const floatAt = (column: Float64Array, at: number): number => column[at]!;
export const wordAt = (column: Uint32Array, at: number): number => column[at]!;
