import { Skeleton } from './skeleton.tsx'

/** The head of an item's page before its data is there. */
export const DetailSkeleton = () => (
  <div class="flex flex-col gap-6 pt-2 sm:flex-row sm:gap-8" aria-hidden="true">
    <Skeleton class="aspect-2/3 w-36 shrink-0 sm:w-48 lg:w-60" />
    <div class="flex grow flex-col gap-4 sm:self-end">
      <Skeleton class="h-10 w-2/3 max-w-100" />
      <Skeleton class="h-5 w-1/3 max-w-60" />
      <Skeleton class="h-11 w-36" />
      <Skeleton class="h-24 w-full max-w-160" />
    </div>
  </div>
)
