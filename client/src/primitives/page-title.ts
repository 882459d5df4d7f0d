import { type Accessor, createEffect } from 'solid-js'

const APP_NAME = 'Vitrine'

/** "Item - Library - Vitrine"; parts that are not known yet are left out. */
export const createPageTitle = (parts: Accessor<(string | null | undefined)[]>) => {
  createEffect(() => {
    document.title = [...parts().filter(Boolean), APP_NAME].join(' - ')
  })
}
