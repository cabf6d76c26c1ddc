/** Connects those who queue with the deliverer of the same process; without one, another process looks every second. */
export class DeliveryBell {
  #ring: () => void = () => undefined;

  onRing(ring: () => void): void {
    this.#ring = ring;
  }

  wake(): void {
    this.#ring();
  }
}
