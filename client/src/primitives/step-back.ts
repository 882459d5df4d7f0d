import { useNavigate } from '@solidjs/router'

/** One step back in the history, for a screen that goes with it. It takes a moment: a second press meanwhile would be a step further. */
export const createStepBack = (): (() => void) => {
  const navigate = useNavigate()
  let isGoing = false
  return () => {
    if (isGoing) return
    isGoing = true
    navigate(-1)
  }
}
