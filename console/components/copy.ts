/** Puts text on the clipboard; `navigator.clipboard` needs https or localhost. */
export const copyText = async (text: string): Promise<boolean> => {
  if (navigator.clipboard !== undefined)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
};
