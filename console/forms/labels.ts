/** The label of a field of this form; of a part of a field, that of the whole. */
export const labelsIn =
  (form: HTMLFormElement) =>
  (field: string): string | undefined => {
    const [whole = field] = field.split(/[.[]/);
    const found = form.elements.namedItem(field) ?? form.elements.namedItem(whole);
    if (!(found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement)) return undefined;
    // A field that must be filled in has a star.
    const words = found.labels?.[0]?.textContent?.trimEnd().replace(/\*$/, '').trim();
    return words === '' ? undefined : words;
  };
