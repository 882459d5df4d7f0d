export const AVATAR_CLASS =
  'flex size-target-medium shrink-0 items-center justify-center rounded-pill bg-accent-soft bg-clip-padding text-small font-semibold text-accent ring-1 ring-line transition-colors hover:ring-accent pointer-coarse:border-4 pointer-coarse:border-transparent pointer-coarse:ring-0'

export const Initial = (props: { name: string }) => <span aria-hidden="true">{[...props.name][0]?.toUpperCase()}</span>
