/** The value of an option that counts something. */
export const wholeNumber = (name: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new TypeError(`--${name} ${text}: must be a whole number`);
  return Number(text);
};
