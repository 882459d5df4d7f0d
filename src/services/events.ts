/** What happens in the service, for the live stream of `GET /api/events`. Nothing may depend on an event arriving. */

export type ServiceEvent =
  | { type: 'scan'; libraryId: number; scanId: number; status: string }
  | { type: 'library'; libraryId: number }
  | { type: 'job'; itemKey: string; libraryId: number; activity: string; status: string }

export interface EventBus {
  emit(event: ServiceEvent): void
  /** Returns the function that ends the subscription. `onClose`: the service stops, and nothing will come any more. */
  subscribe(listener: (event: ServiceEvent) => void, onClose?: () => void): () => void
  close(): void
}

export const createEventBus = (): EventBus => {
  const listeners = new Map<(event: ServiceEvent) => void, (() => void) | undefined>()
  return {
    emit: (event) => {
      for (const listener of listeners.keys()) listener(event)
    },
    subscribe: (listener, onClose) => {
      listeners.set(listener, onClose)
      return () => {
        listeners.delete(listener)
      }
    },
    close: () => {
      for (const onClose of listeners.values()) onClose?.()
      listeners.clear()
    },
  }
}
