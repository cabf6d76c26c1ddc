/**
 * The baseline for memory: look-ups per second in a Map of a million texts, in an order that no cache foresees. What a stored event costs
 * is mostly that. Where neighbours share a machine's caches it changes by half within minutes, while inserts and an HTTP echo hardly move.
 */
const TEXTS = 1_000_000;
const MEASURED_MS = 2_000;
/** Prime, so that all are looked up before one is looked up again. */
const STEP = 611_953;

const texts = Array.from({ length: TEXTS }, (_, i) => `01J${String(i).padStart(23, '0')}`);
const rows = new Map(texts.map((text, i) => [text, { i }]));

let looked = 0;
let found = 0;
const began = performance.now();
while (performance.now() - began < MEASURED_MS) {
  for (let turn = 0; turn < 10_000; turn++, looked++)
    found += rows.get(texts[(looked * STEP) % TEXTS]!) === undefined ? 0 : 1;
}
if (found !== looked) throw new Error('A text is missing');
console.log((looked / (performance.now() - began)) * 1_000);
