/** The only source of time; epoch ms. */
export interface Clock {
  now(): number;
}
