/**
 * Colors of the parts of a column, each clearly lighter than the previous one, for grayscale printing and color-blind
 * readers.
 */
export const SERIES = ['#5b0f2e', '#b3273f', '#e06c3b', '#f2ad5c', '#f9e7bf'] as const;
/** Bars and columns without parts. */
export const SINGLE = '#2f5d8a';
export const INK = { text: '#1f2328', axis: '#57606a', grid: '#d0d7de', outline: '#3d444d' } as const;
