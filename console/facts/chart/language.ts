const isTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
};

/** Without a locale of the system a browser calls its language `en-US@posix`, which is none: the charts would fail while they load. */
export const mendLanguage = (): void => {
  if (!isTag(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
};
