/** A file that one page hands to the next: it is in no address, and is taken once. */
export interface Handover {
  readonly give: (file: File) => void;
  readonly take: () => File | null;
}

export const openHandover = (): Handover => {
  let held: File | null = null;
  return {
    give(file) {
      held = file;
    },
    take() {
      const file = held;
      held = null;
      return file;
    },
  };
};
