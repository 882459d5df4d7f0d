/** Of what a form holds, what differs from before: of two people who change two fields at once neither undoes the other's. */
export const changedFields = <Fields extends object>(fields: Fields, before: NoInfer<Fields>): Partial<Fields> => {
  const changed: Partial<Fields> = { ...fields }
  for (const name of Object.keys(fields) as (keyof Fields)[]) {
    if (fields[name] === before[name]) delete changed[name]
  }
  return changed
}
