import { type Accessor, createEffect } from 'solid-js'

const APP_NAME = 'Vitrine'

let over = ''
let screen = ''

const show = () => {
  document.title = over + screen
}

/** What lies over the screen, as a picture over its library, and how it is set off from it; empty where nothing does. */
export const setTitleOver = (title: string) => {
  over = title
  show()
}

/** "Item - Library - Vitrine"; parts that are not known yet are left out. */
export const createPageTitle = (parts: Accessor<(string | null | undefined)[]>) => {
  createEffect(() => {
    screen = [...parts().filter(Boolean), APP_NAME].join(' - ')
    show()
  })
}
