export const AVATAR_CLASS =
  'flex size-9 items-center justify-center rounded-pill bg-accent-soft text-small font-semibold text-accent ring-1 ring-line transition-colors hover:ring-accent'

export const Initial = (props: { name: string }) => <span aria-hidden="true">{[...props.name][0]?.toUpperCase()}</span>
