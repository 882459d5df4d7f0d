import { A } from '@solidjs/router'
import { For } from 'solid-js'
import { createShownInRow } from '../primitives/create-shown-in-row.ts'

interface SectionNavProps {
  label: string
  sections: readonly { href: string; label: string; isCurrent: boolean }[]
}

/** The sections of a large screen (Manage, Settings), each with its own address. */
export const SectionNav = (props: SectionNavProps) => {
  let list!: HTMLElement
  const current = () => props.sections.find(({ isCurrent }) => isCurrent)?.href
  createShownInRow(() => list, '[aria-current=page]', current)
  return (
    <nav ref={list} aria-label={props.label} class="no-scrollbar row-edges relative mb-6 overflow-x-auto border-b border-line">
      <ul class="flex gap-6">
        <For each={props.sections}>
          {(section) => (
            <li>
              <A
                href={section.href}
                aria-current={section.isCurrent ? 'page' : undefined}
                class="relative -mx-2 -mb-px flex h-11 shrink-0 items-center gap-2 px-2 text-small whitespace-nowrap text-muted transition-colors after:absolute after:inset-x-2 after:bottom-0 after:border-b-2 after:border-transparent hover:text-fg aria-[current=page]:font-semibold aria-[current=page]:text-fg aria-[current=page]:after:border-accent"
              >
                {section.label}
              </A>
            </li>
          )}
        </For>
      </ul>
    </nav>
  )
}
