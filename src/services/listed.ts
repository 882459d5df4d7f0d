import { type SQL, sql } from 'drizzle-orm'

/** Many values as one argument, for `IN`: with one for each, every number of them would be a statement of its own. */
export const listed = (values: readonly unknown[]): SQL => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`
