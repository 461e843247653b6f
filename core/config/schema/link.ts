import { text } from "./values.ts";

const shape = /^\s*(\S+?)\s*(<->|->)\s*(\S+?)\s*$/;

/** `eu <-> ap` is a duplex connector of eu, `eu -> ap` one way; both with all defaults. */
export const linkSchema = text('must be written "eu <-> ap" (both ways) or "eu -> ap"', shape);

export interface LinkText {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly duplex: boolean;
}

/** The connector that a short form stands for; its name is `<from>-<to>`. */
export const parseLink = (link: string): LinkText | undefined => {
  const [, from, arrow, to] = shape.exec(link) ?? [];
  return from === undefined || to === undefined ? undefined : { name: `${from}-${to}`, from, to, duplex: arrow === "<->" };
};
