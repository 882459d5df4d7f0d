import { A } from '@solidjs/router'
import { ChevronRight } from 'lucide-solid'
import { For, Show } from 'solid-js'
import type { Crumb } from '../primitives/crumbs.ts'

/** The way back up; the present screen is its heading and not repeated here. */
export const Breadcrumbs = (props: { label: string; crumbs: readonly Crumb[] }) => (
  <nav aria-label={props.label} class="min-w-0 overflow-x-clip">
    <ol class="flex min-w-0 items-center gap-1 text-small text-muted">
      <For each={props.crumbs}>
        {(crumb, index) => (
          // Where it is too long, the last one gives way: the library's name is short, and the way to it is not lost.
          <li class="flex min-w-0 items-center gap-1 not-last:max-w-1/2 not-last:shrink-0">
            <Show when={index() > 0}>
              <ChevronRight size={14} aria-hidden="true" class="shrink-0" />
            </Show>
            <A
              href={crumb.href}
              class="truncate rounded-chip py-1 min-h-finger min-w-finger content-center transition-colors hover:text-fg hover:underline"
            >
              {crumb.label}
            </A>
          </li>
        )}
      </For>
    </ol>
  </nav>
)
