// Pages of a server of several campaigns: logging out leaves no doc of any campaign in the browser.

import { KeptDocs } from "./reading/kept_docs.js";
import { forgetPages } from "./reading/kept_page.js";

const form = document.getElementById("logout");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  await Promise.allSettled([forgetPages(), KeptDocs.forget()]);
  form.submit();
});
