import { join } from 'node:path'
import { parseSync, traverse } from '@babel/core'

const SOURCES = join(import.meta.dir, '../../../client/src')

type Tree = NonNullable<ReturnType<typeof parseSync>>

interface SourceFile {
  path: string
  tree: Tree
}

export const parseSource = (path: string, code: string): SourceFile => {
  const plugins: ('jsx' | 'typescript')[] = path.endsWith('x') ? ['jsx', 'typescript'] : ['typescript']
  const tree = parseSync(code, { filename: path, configFile: false, babelrc: false, parserOpts: { plugins } })
  if (!tree) throw new Error(`${path} has no syntax tree`)
  return { path, tree }
}

/** The client's own code without its dictionaries. */
export const parseSources = async (pattern: string): Promise<SourceFile[]> => {
  const paths = (await Array.fromAsync(new Bun.Glob(pattern).scan(SOURCES))).filter((path) => !path.startsWith('i18n/')).sort()
  return Promise.all(paths.map(async (path) => parseSource(path, await Bun.file(join(SOURCES, path)).text())))
}

/** Attributes and properties of our components whose value somebody reads or hears. */
const SPOKEN = new Set(
  'alt aria-description aria-label aria-placeholder aria-roledescription aria-valuetext heading hint label lead legend note placeholder short submitLabel summary text title'.split(
    ' ',
  ),
)

/** An address is the same in every language. */
const isSaid = (text: string): boolean => /\p{L}/u.test(text) && !/^\w+:\/\/\S+$/.test(text)

/** Words that stand in the markup itself, where no other language can reach them. */
export const spokenLiterals = ({ path, tree }: SourceFile): string[] => {
  const found: string[] = []
  traverse(tree, {
    JSXText({ node }) {
      if (isSaid(node.value)) found.push(`${path}:${node.loc?.start.line}: ${node.value.trim()}`)
    },
    'StringLiteral|TemplateElement'(literal) {
      const { node } = literal
      const text = node.type === 'StringLiteral' ? node.value : node.type === 'TemplateElement' ? node.value.raw : ''
      if (!isSaid(text)) return
      // What is only compared or passed on to a function is not what is shown.
      const bearer = literal.findParent(
        ({ type }) => !['TemplateLiteral', 'ConditionalExpression', 'LogicalExpression', 'JSXExpressionContainer'].includes(type),
      )
      const isTested = literal.parent.type === 'ConditionalExpression' && literal.key === 'test'
      const isChild = bearer?.node.type === 'JSXElement' || bearer?.node.type === 'JSXFragment'
      const isSpoken = bearer?.node.type === 'JSXAttribute' && SPOKEN.has(String(bearer.node.name.name))
      if (!isTested && (isChild || isSpoken)) found.push(`${path}:${node.loc?.start.line}: ${text.trim()}`)
    },
  })
  return found
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** What could be the key of a text: literals as they are, templates as a pattern of one word for each of their values. */
export const keyPatterns = ({ tree }: SourceFile): { literals: string[]; patterns: RegExp[] } => {
  const literals: string[] = []
  const patterns: RegExp[] = []
  traverse(tree, {
    StringLiteral({ node }) {
      literals.push(node.value)
    },
    TemplateLiteral({ node }) {
      const parts = node.quasis.map(({ value }) => value.raw)
      if (/^\w+\./.test(parts[0] ?? '')) patterns.push(new RegExp(`^${parts.map(escaped).join('[^.]+')}$`))
    },
  })
  return { literals, patterns }
}
