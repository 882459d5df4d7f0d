interface SkeletonProps {
  class?: string
}

/** A placeholder in the shape of what comes. */
export const Skeleton = (props: SkeletonProps) => <div class={`skeleton ${props.class ?? ''}`} aria-hidden="true" />
