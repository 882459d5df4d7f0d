/** What happens in the service, for the live stream of `GET /api/events`. Nothing may depend on an event arriving. */

export type ServiceEvent =
  | { type: 'scan'; libraryId: number; scanId: number; status: string }
  | { type: 'library'; libraryId: number }
  | { type: 'job'; itemKey: string; libraryId: number; activity: string; status: string }

export interface EventBus {
  emit(event: ServiceEvent): void
  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: ServiceEvent) => void): () => void
}

export const createEventBus = (): EventBus => {
  const listeners = new Set<(event: ServiceEvent) => void>()
  return {
    emit: (event) => {
      for (const listener of listeners) listener(event)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
