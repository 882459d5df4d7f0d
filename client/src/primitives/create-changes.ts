import { type Accessor, createSignal } from 'solid-js'

interface ChangesSpec<Value, Changes> {
  /** As the server has it, as far as it is known. */
  saved: Accessor<Value>
  apply: (value: Value, changes: Changes) => Value
  save: (changes: Changes) => Promise<unknown>
  tellRefusal: (error: unknown) => void
  /** Asks the server again; what it brings is in `saved` soon after. */
  refresh: () => Promise<unknown>
}

/** Which fields are changed, and not to what: of two such changes the later one says all. */
const fieldsOf = (changes: unknown): string =>
  JSON.stringify(changes, (_name, value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : 0))

/** What observes an answer is told of it in a task of its own, after whoever waited for the answer. */
const nextTask = () => new Promise<void>((done) => setTimeout(done))

/**
 * Changes that are saved by themselves, one after the other. What was pressed last shows at once and holds, whatever older
 * answers say; a refused change shows again what was there before it.
 */
export const createChanges = <Value, Changes>({ saved, apply, save, tellRefusal, refresh }: ChangesSpec<Value, Changes>) => {
  /** What `saved` does not tell yet, in the order in which it was pressed. */
  const [held, setHeld] = createSignal<readonly Changes[]>([])
  let waiting: Changes[] = []
  let isSaving = false
  const drop = (refused: Changes) => setHeld((all) => all.filter((changes) => changes !== refused))
  const saveAll = async () => {
    isSaving = true
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        await save(next)
      } catch (error) {
        drop(next)
        tellRefusal(error)
      }
      if (waiting.length === 0) await refresh().then(nextTask)
    }
    isSaving = false
    setHeld([])
  }
  const change = (changes: Changes) => {
    const outdated = waiting.filter((other) => fieldsOf(other) === fieldsOf(changes))
    const withLast = (all: readonly Changes[]) => [...all.filter((other) => !outdated.includes(other)), changes]
    waiting = withLast(waiting)
    setHeld(withLast)
    if (!isSaving) void saveAll()
  }
  return { shown: (): Value => held().reduce(apply, saved()), change }
}
