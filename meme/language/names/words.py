"""Word tables for finding names: no logic, no state.

Flows in: nothing. Flows out: frozen sets of folded words. Will not claim to be complete: a table lifts a
guess, the rules around it decide.
"""

from typing import Final


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


CALENDAR: Final = _set(
    """monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
    january february march april may june july august september october november december jan feb mar
    apr jun jul aug sep sept oct nov dec mondays tuesdays wednesdays thursdays fridays saturdays
    sundays am pm bc ad utc gmt"""
)

# Capitalised in mid-sentence and still nobody's name.
NEVER_NAMES: Final = _set(
    """i i'm i've i'll i'd im ive ok okay lol omg btw tv dvd cd diy faq asap eta fyi imo imho idk tbh aka
    rip lmao haha wow yay yeah yes no oh hey hi hello mr mrs ms dr prof sir p.s ps vs et etc e.g i.e
    todo god gosh x o poor woohoo yoohoo hooray yippee hurray ha"""
)

# Words that often begin an English sentence; a capital there says nothing.
STARTERS: Final = _set(
    """absolutely actually ah aha ahh although amazing anything anyway anyways apart apparently appreciate
    around aside ask awesome aw aww awww bad based basically beautiful because believe best better big
    both bravo bye call can't cannot catch cause check cheers chill come congrats congratulations cool
    could couldn't count crazy cute dang darn day days dear definitely despite didn't different don't
    dude each easy enjoy especially even eventually every everybody everyone everything everywhere
    exactly excellent excited exciting fair family fantastic feel feels few finally find fine first
    follow for fortunately friends fun funny get gets gimme give gives glad go goes gonna good goodbye
    goodness gosh got gotta gotcha grab grateful great guess had haha hahaha hang hanging happy hard
    have haven't having hear hearing hello help here here's hey hi hmm hold hope hopefully hoping how
    how's however huge hugs i if imagine impressive in incredible indeed inspiring instead is isn't
    it'll it's its join just keep kids kind kinda know last lately later learn let let's life like
    literally little live lol long look looking looks lots love loved lovely loving luckily made make
    makes making man many maybe meanwhile mind mine moreover most much music my nah nature need neither
    never nevertheless next nice night no nobody none nope normally not nothing now obviously of oh okay
    old on once one ones only ooh oops or others otherwise ouch our overall people perfect perhaps
    personally phew pic pics plan plans please plus pretty previously probably proud put quick quite
    read ready really recently remember right sad said same say says see seeing seems seriously several
    shall share should shouldn't show since sleep so some somebody someone something sometimes soon
    sorry sounds still stay stuff such sucks sup super sure surely sweet system take taking talk talking
    tell thank thankfully thanks that that'll that's the their them then there there's therefore these
    they they're thing things think thinking this those though thought time times to today together
    tomorrow tonight too totally trust try trying turns two ugh um unfortunately unless until up usually
    very via wait waiting walk want was wasn't watch way we we'll we're we've welcome well were what
    what's whatever when whenever where where's whereas wherever whether which while who who's whoa whom
    whose why will wish with within without won't wonder wonderful wondering work works would wouldn't
    wow yay yea yeah yep yes yesterday yet you you'd you'll you're you've your yours yup assuming use
    using run set note reminder remind store save email meeting deploy install open close start stop
    write add remove delete update send book buy order total ignore output previous rules being been be
    do does did are aren't am after before during again already almost also always another any anybody
    anyone as at back between but by down from half he he's hence her him his if into it me more nor off
    ooo or out over per she she's than through under upon us question answer both yours crossing fingers
    lucky reminds wishing photo picture image hugging dream dreams nothing congrats speaking knowing working
    playing painting running reading going doing being growing living spending three four five six seven
    eight nine ten"""
)

CONNECTORS: Final = _set(
    "of the de van von der den da di do dos del della la le les du al el bin ibn y & for upon"
)

KINSHIP: Final = _set(
    """mother mom mum mommy mummy mama father dad daddy papa parent sister brother sibling son daughter
    child baby kid twin aunt auntie uncle cousin niece nephew grandmother grandma granny gran nana
    grandfather grandpa granddad grandson granddaughter wife husband spouse partner fiance fiancee
    girlfriend boyfriend stepmother stepmom stepfather stepdad stepsister stepbrother godmother
    godfather mother-in-law father-in-law sister-in-law brother-in-law friend buddy pal bestie colleague
    coworker co-worker boss manager supervisor mentor teacher professor tutor coach neighbor neighbour
    roommate flatmate housemate classmate teammate landlord landlady doctor dentist therapist nurse
    lawyer client guest trainer instructor assistant intern guy girl man woman lady boy person singer
    artist author writer actor actress director musician player president king queen captain"""
)

HONORIFICS: Final = _set(
    "mr mrs ms miss dr prof professor sir madam mister doctor uncle aunt auntie captain judge grandma grandpa"
    " dona doña senor senora signora frau herr madame monsieur"
)

# "Jack said": what people do, in the forms that follow a name.
PERSON_VERBS: Final = _set(
    """owns owned drives drove collects speaks spoke drinks eats writes reads visits travels travelled sold
    joined started became moves wears adopted rents dislikes avoids said says told tells asked asks
    replied answered thinks thought knows knew wants wanted likes liked loves loved hates hated prefers
    preferred feels felt believes hopes hoped wrote writes called calls texted emailed invited married
    met moved lives lived works worked studies studied graduated retired died born visited suggested
    suggests recommended recommends agreed agrees laughed cried smiled decided promised remembers plays
    played sings sang teaches taught helped helps brought gave bought cooked baked"""
)

# "met Sarah": what is done with people, in the forms that precede a name.
MEETING_VERBS: Final = _set(
    """met meet meeting married marrying dating dated hugged invited invite inviting called call calling
    texted thanked hired emailed phoned adopted kissed told asked befriended miss missed"""
)

GIVEN_SHE: Final = _set(
    """mary patricia jennifer linda elizabeth barbara susan jessica sarah sara karen lisa nancy betty
    sandra margaret ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca
    laura sharon cynthia kathleen amy angela shirley anna ana brenda pamela emma nicole helen samantha
    katherine christine catherine debra rachel carolyn caroline janet maria marie heather diane olivia
    julie julia joyce victoria ruth virginia lauren kelly christina joan evelyn judith megan andrea
    cheryl hannah jacqueline martha gloria teresa ann anne annie madison frances kathryn jean abigail
    alice sophia sophie grace denise amber doris marilyn danielle beverly isabella isabel theresa diana
    natalie brittany charlotte kayla alexis lori tiffany tammy eva eve zoe zoey chloe clara claire elena
    nina nadia olga irina tanya svetlana yuki sakura mei ling priya ananya aisha fatima leila layla zara
    sofia lucia carmen ines martina giulia chiara francesca camille manon lea ingrid freya astrid greta
    heidi ursula petra katja monika joanna joana melanie gina maya lily lucy molly ella ava mia amelia
    nora nell daisy poppy erin jane jill jenny wendy tina tracy deb dora jo jolene evelina rosa ruby
    stella vera wanda yvonne yara edie ivy holly hazel iris violet ellie evie esme ada agnes beth bella
    bianca bridget carla carmela catalina cecilia celine charlie claudia dana delia edith elaine elise ellen
    eleanor elsa emilia esther fiona flora gemma georgia hanna harriet helena imogen inga irene jana josie
    judy karin kate katie kirsten laia leah lena leona lila lisbeth lola luisa luna lydia mabel maeve
    margot marta matilda mila miriam mona naomi natasha noelle paula penelope phoebe pia priscilla rita
    roisin rosie sabine sally selma silvia simone sonia susanna tamara tessa thea trudy ursula valentina
    valerie vanessa vivian willow winnie"""
)

GIVEN_HE: Final = _set(
    """james robert john michael david william richard joseph thomas charles christopher daniel matthew
    anthony mark donald steven paul andrew joshua kenneth kevin brian george timothy ronald edward jason
    jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel
    gregory alexander frank patrick raymond jack dennis jerry tyler aaron jose adam nathan henry douglas
    zachary peter kyle noah ethan jeremy walter christian keith roger terry austin sean gerald carl
    harold dylan arthur lawrence jordan jesse bryan billy bruce gabriel joe logan alan juan albert
    willie elijah wayne randy mason vincent liam philip bobby johnny bradley tom tim tony mike mikey
    dave dan danny ben bob bill jim jimmy jon luke lucas leo max oscar oliver harry simon stefan stephan
    hans klaus jurgen wolfgang lukas felix jonas pierre jean-luc luc antoine mathieu marco luca matteo
    giovanni paolo carlos miguel diego pablo javier luis pedro joao rui ivan dmitri sergei vladimir igor
    boris ahmed mohamed mohammed ali omar hassan yusuf ravi arjun raj kenji hiroshi takashi wei ming
    mateo owen albie alfie alec alejandro andre andres angus anton archie arne axel barnaby bastian callum
    cameron casper cesar clive connor craig curtis damian darren declan derek desmond dieter dominic duncan
    eddie eduardo eli elliot emil enrique ernesto esteban euan ewan fabian fergus fernando filip finlay
    finn francisco francois gavin geoff gonzalo graham gus hamish hector hugh hugo ian ilya isaac jaime
    jakob jamal jamie jared jasper jens jorge josh julian julien karim karl kofi kurt lorenzo louis malik
    manuel marcel marcus mario martin maurice mehmet miles milo mitch moritz neil nico nikolai noel olaf
    ollie otto pascal paulo pavel percy quentin rafael ralph ramon reza ricardo roberto rodrigo roland
    rory ruben rupert salvador sebastian seth silas sergio stuart theo tobias tobi todd tomas toby travis
    trevor umberto viktor vince warren werner xavier yannick yusef
    chen tariq erik lars sven nils magnus bjorn anders nate calvin greg rob ed ted ned fred"""
)

PLACE_NOUNS: Final = _set(
    """station park museum airport university college school hall square street st road avenue ave lane
    beach lake mount mountain mountains river island islands bay valley city town village cafe café
    restaurant bar pub hotel hostel hospital clinic church cathedral temple mosque library theater
    theatre cinema gallery stadium arena center centre mall market plaza bridge tower castle palace
    garden gardens zoo forest canyon falls springs hills hill heights county state states kingdom
    republic coast desert harbor harbour port pier district quarter gym studio campus academy"""
)

# "in English", "in Python": no places though "in" precedes them.
NOT_PLACES: Final = _set(
    """english french german spanish italian portuguese russian chinese japanese korean arabic hindi latin
    greek dutch swedish polish turkish hebrew mandarin cantonese python java javascript typescript rust
    excel word powerpoint photoshop slack zoom teams github gitlab jira notion figma google facebook
    instagram whatsapp youtube twitter netflix linux windows sql html css math maths physics chemistry
    biology history christmas easter thanksgiving halloween ramadan diwali hanukkah jesus"""
)

# Places that need no preposition to be known as such.
WELL_KNOWN_PLACES: Final = _set(
    """afghanistan africa america amsterdam antarctica argentina asia athens atlanta australia austria
    bangkok barcelona beijing belgium berlin boston brazil britain brooklyn brussels budapest california
    canada chicago chile china colombia copenhagen cuba dallas denmark denver detroit dublin edinburgh
    egypt england ethiopia europe finland florida france geneva germany ghana greece hamburg hawaii
    helsinki houston hungary iceland india indonesia iran iraq ireland israel istanbul italy jamaica
    japan kenya korea kyoto lisbon london luxembourg lyon madrid malaysia manchester manhattan melbourne
    mexico miami milan montreal morocco moscow mumbai munich nepal netherlands nigeria norway osaka oslo
    pakistan paris peru philadelphia philippines poland porto portugal prague quebec rome russia
    scotland seattle seoul shanghai singapore slovakia slovenia spain stockholm sweden switzerland
    sydney taiwan tanzania texas thailand tokyo toronto tunisia turkey ukraine uruguay vancouver
    venezuela venice vienna vietnam wales warsaw washington zurich"""
)

GERMAN_LEADS: Final = _set(
    """der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner dein deine
    sein seine ihr ihre unser unsere kein keine viel viele zum zur beim am vom ins jeden jede jedes
    diese dieser dieses guten gute neue neuen neuer neues großen große ganzen"""
)

GERMAN_NOUN_END: Final = ("ung", "heit", "keit", "schaft", "tion", "tät", "lein", "nis", "ismus")

GERMAN_NAME_LEADS: Final = _set("""in aus nach bei mit von und für herr frau firma an über namens""")

MOTION: Final = _set(
    """go goes going went gone move moves moved moving fly flies flew flying flown travel travels traveled
    travelled traveling travelling trip trips drive drove driving driven been come came coming return
    returned returning head headed heading relocate relocated relocating ride flight flights train
    trains way visit back run ran walk walked sail sailed hike hiked ticket tickets journey vacation
    holiday close next"""
)

# Moves that end at a place, not at a person.
FAR_MOTION: Final = _set(
    """move moves moved moving fly flew flying travel travelled traveled travelling trip flight drove drive
    relocated"""
)

PLACE_LEADS: Final = _set(
    """in from near outside inside around across toward towards through throughout into via within visit
    visited visiting explore explored exploring leave left leaving reach reached"""
)

HEARD: Final = _set(
    """hear heard got get received message email letter call text gift news bought learned learnt"""
)

WEAK: Final = _set(
    """go goes going went gone get gets getting got make makes making made take takes taking took thing
    things good great nice cool awesome amazing really feel feels feeling felt think thinks thought know
    knows knew look looks looking want wants wanted way lot lots bit today yesterday tomorrow week month
    year day time now last next new old big little much always never still even well yeah wow hey hi
    thanks sure okay yes no not come came coming see saw seen say said says tell told love loved like
    liked super definitely actually recently lately ago one two something anything everything someone
    everyone keep keeps kept give gives gave need needs put let try tried trying use used using since
    don't can't i'm it's"""
)
