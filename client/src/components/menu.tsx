import { DropdownMenu } from '@kobalte/core/dropdown-menu'
import { For, type JSX } from 'solid-js'

interface MenuItem {
  label: string
  icon?: JSX.Element
  isDanger?: boolean
  onSelect: () => void
}

interface MenuProps {
  /** The accessible name of the button that opens it. */
  label: string
  trigger: JSX.Element
  triggerClass: string
  items: readonly MenuItem[]
  header?: JSX.Element
  /** Somebody has pressed the button before the menu was there. */
  isOpenAtFirst?: boolean
}

export const Menu = (props: MenuProps) => (
  <DropdownMenu defaultOpen={props.isOpenAtFirst} gutter={4} placement="bottom-end" preventScroll={false} modal={false}>
    <DropdownMenu.Trigger aria-label={props.label} title={props.label} class={props.triggerClass}>
      {props.trigger}
    </DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content class="z-60 max-h-(--kb-popper-content-available-height) min-w-48 max-w-[min(30rem,calc(100vw-16px))] animate-fade overflow-y-auto rounded-card border border-line bg-raised p-1 text-small shadow-raised outline-none">
        {props.header}
        <For each={props.items}>
          {(item) => (
            <DropdownMenu.Item
              onSelect={() => item.onSelect()}
              class={`flex min-h-target-medium cursor-pointer items-center gap-3 rounded-chip px-3 py-1 outline-none data-[highlighted]:bg-accent-soft ${item.isDanger ? 'text-danger' : ''}`}
            >
              {item.icon}
              {/* Parts of one archive differ at the end of their names. */}
              <span class="min-w-0 wrap-anywhere">{item.label}</span>
            </DropdownMenu.Item>
          )}
        </For>
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu>
)
