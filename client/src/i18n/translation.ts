/** What a dictionary in another language has to be: the same keys, none less and none more, called with the same values. */
export type Translation<Texts> = {
  [Key in keyof Texts]: Texts[Key] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : Texts[Key] extends string
      ? string
      : Translation<Texts[Key]>
}
