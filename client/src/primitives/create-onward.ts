import { type NavigateOptions, useIsRouting, useLocation, useNavigate } from '@solidjs/router'

/** Called when something is pressed, it gives what leads on once that is done: nobody who has gone elsewhere meanwhile is pulled away. */
export const createOnward = () => {
  const navigate = useNavigate()
  const location = useLocation()
  const isRouting = useIsRouting()
  return () => {
    const from = location.pathname
    return (to: string, options?: Partial<NavigateOptions>) => {
      if (location.pathname === from && !isRouting()) navigate(to, options)
    }
  }
}
