interface FoundByWords {
  readonly words: string;
  /** Synonyms, separated by spaces. */
  readonly also?: string;
}

/** Returns the places whose name or synonyms have the words, those whose name has them first. */
export const foundPlaces = <P extends FoundByWords>(places: readonly P[], typed: string): readonly P[] => {
  const text = typed.toLowerCase();
  const words = text.split(/[\s-]+/).filter((word) => word !== '');
  const isNamed = (place: FoundByWords): boolean => place.words.toLowerCase().includes(text);
  const isMeant = ({ words: name, also = '' }: FoundByWords): boolean => {
    const known = `${name} ${also}`.toLowerCase().split(' ');
    return words.every((word) => known.some((one) => one.startsWith(word) || (word.length > 3 && word === `${one}s`)));
  };
  const others = places.filter((place) => !isNamed(place));
  return [...places.filter(isNamed), ...others.filter(isMeant)];
};
