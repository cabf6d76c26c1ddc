/**
 * Numbers of typed arrays at places within their bounds, which nothing checks: inner loops read through them. One function for each kind of
 * array keeps them as fast as the array itself.
 */
export const int32At = (column: Int32Array, at: number): number => column[at]!;
export const float64At = (column: Float64Array, at: number): number => column[at]!;
export const uint32At = (column: Uint32Array, at: number): number => column[at]!;
export const byteAt = (column: Uint8Array, at: number): number => column[at]!;
