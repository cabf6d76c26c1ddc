/** A file that one page passes to the next: it is in no address, and is read once. */
export interface PageTransfer {
  readonly give: (file: File) => void;
  readonly take: () => File | null;
}

export const openPageTransfer = (): PageTransfer => {
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
