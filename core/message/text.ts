// Of the language's host, not of Node.
declare const btoa: (binary: string) => string;
declare const atob: (base64: string) => string;

/** May stand in the body or an attribute of SQS and SNS: XML 1.0 characters, so no lone surrogates, U+FFFE or U+FFFF, few controls. */
export const isXmlLegal = (text: string): boolean => /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(text);

/** JSON that is XML-legal whatever it holds: `JSON.stringify` escapes all other illegal characters itself. */
export const legalJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\ufffe\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);

/** `undefined` for what is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

export const fromBase64 = (text: string): Uint8Array | undefined => {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
};

/** Any text, lone surrogates included, as bytes: its code units, low byte first. */
export const toUtf16 = (text: string): Uint8Array =>
  Uint8Array.from({ length: text.length * 2 }, (_, i) => (text.charCodeAt(i >> 1) >> (8 * (i & 1))) & 0xff);

export const fromUtf16 = (bytes: Uint8Array): string =>
  Array.from({ length: bytes.length >> 1 }, (_, i) => String.fromCharCode((bytes[2 * i] ?? 0) | ((bytes[2 * i + 1] ?? 0) << 8))).join("");
