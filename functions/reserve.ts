/** What is left of an invocation when a look at a queue must end: enough to give back what it holds. A short one would be over before it began. */
export const reserveOf = ({ longest }: { readonly longest: number }): number => Math.min(10_000, longest / 3);
