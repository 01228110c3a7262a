type CanBeUndefined<T> = { [Key in keyof T]-?: undefined extends T[Key] ? Key : never }[keyof T];

/** The members of `T`; those that can be undefined are optional instead. */
export type Defined<T> = { [Key in Exclude<keyof T, CanBeUndefined<T>>]: T[Key] } & {
  [Key in CanBeUndefined<T>]?: Exclude<T[Key], undefined>;
};

/** An object with the members that are not undefined, in their order: an optional property is absent, and not undefined. */
export function defined<const T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}
