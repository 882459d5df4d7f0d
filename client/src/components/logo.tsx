/** The mark: a display case with something to play in it. */
export const Logo = (props: { size?: number }) => (
  <svg width={props.size ?? 28} height={props.size ?? 28} viewBox="0 0 64 64" aria-hidden="true" class="shrink-0">
    <rect width="64" height="64" rx="15" fill="#2456d6" />
    <path d="M15 22a8 8 0 0 1 8-8h18a8 8 0 0 1 8 8v20H15z" fill="#fff" fill-opacity=".16" />
    <path d="M15 42V22a8 8 0 0 1 8-8h18a8 8 0 0 1 8 8v20" fill="none" stroke="#fff" stroke-width="3.5" />
    <path d="M11 42h42v3a5 5 0 0 1-5 5H16a5 5 0 0 1-5-5z" fill="#fff" />
    <path d="M28 23.6v9.8a1.2 1.2 0 0 0 1.9 1l7.6-4.9a1.2 1.2 0 0 0 0-2l-7.6-4.9a1.2 1.2 0 0 0-1.9 1z" fill="#fff" />
  </svg>
)
