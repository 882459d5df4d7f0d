/** What ends a text, a pattern or a number early where it is pasted into SQL instead of bound. */
const OPENINGS = ["'", '"', '`', "')", "'))", '")', '%', "%'", "' ", '1', '0', '-1', "\\'", '\\', ']', '\0', "'\0", "''"]

/** What would follow. */
const CONTINUATIONS = [
  ...[
    '',
    ' OR 1=1',
    " OR '1'='1",
    ' OR 1=1 --',
    ' AND 1=0',
    ' UNION SELECT NULL',
    ' UNION SELECT password_hash FROM users --',
    ' UNION ALL SELECT sql FROM sqlite_master --',
  ],
  ...[
    '; DROP TABLE media_items; --',
    '; DELETE FROM users; --',
    "; UPDATE users SET role='admin'; --",
    '; ATTACH DATABASE "x" AS y; --',
    '; PRAGMA writable_schema=1; --',
  ],
  ...[
    ' ORDER BY 99',
    ' LIMIT 0',
    ' HAVING 1=1',
    ' GROUP BY 1',
    ' COLLATE nocase',
    " ESCAPE 'x'",
    " || (SELECT 'x')",
    ' /* comment */',
    '/**/OR/**/1=1',
    ' -- -',
    '#',
  ],
  ...[
    ' AND randomblob(100000000)',
    " AND load_extension('x')",
    ' AND (SELECT CASE WHEN 1 THEN 1/0 END)',
    ' MATCH x',
    " LIKE '%'",
    " GLOB '*'",
    ' NOTNULL',
    ' IS NULL',
  ],
]

const ALONE = [
  ...[
    'title',
    'title;',
    'title desc',
    'title,id',
    '(SELECT 1)',
    '1;SELECT 1',
    'CASE WHEN 1 THEN title END',
    'm.password_hash',
    'sqlite_master',
    'rowid',
    '*',
    '?',
    ':a',
    '@a',
    '$a',
  ],
  ...['1 OR 1=1', '1) OR (1=1', '0x31', "x'31'", '1e1', '1.0', '+1', ' 1', '1 ', '١', '９', 'NULL', 'TRUE', 'id', '"id"', '[id]', '`id`'],
]

/** 200 payloads: every opening with some of the continuations, and texts that stand for themselves. */
export const sqlCorpus = (): string[] => {
  const pairs = OPENINGS.flatMap((opening, row) =>
    CONTINUATIONS.filter((_, column) => (row + column) % 3 === 0).map((continuation) => opening + continuation),
  )
  return [...new Set([...ALONE, ...pairs])].slice(0, 200)
}
