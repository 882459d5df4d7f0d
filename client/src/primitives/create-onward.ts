import { type NavigateOptions, useIsRouting, useLocation, useNavigate } from '@solidjs/router'
import { takeStep } from './history-depth.ts'
import { hasComeFrom } from './step-back.ts'

/**
 * Called when something is pressed, it gives what leads on once that is done: nobody who has gone elsewhere meanwhile is pulled
 * away. Where a screen is to take the place of this one and one came from it, that is a step back: to it as one left it.
 */
export const createOnward = () => {
  const navigate = useNavigate()
  const location = useLocation()
  const isRouting = useIsRouting()
  return () => {
    const from = location.pathname
    return (to: string, options?: Partial<NavigateOptions>) => {
      if (location.pathname !== from || isRouting()) return
      if (options?.replace && hasComeFrom(to)) takeStep(() => navigate(-1))
      else navigate(to, options)
    }
  }
}
