import { openEventWorld } from '#test/setup/event-world.ts';
import { REBINDER } from './rebinder.ts';

/** Events in the real pipeline, and the background of discovery for a test to drive. */
export async function openBindingWorld() {
  const world = await openEventWorld();
  return { ...world, rebinder: world.ports.memory.of(REBINDER) };
}
